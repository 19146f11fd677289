import { useCallback, useEffect, useRef, useState, type FocusEvent, type PointerEvent } from 'react'
import type { CarouselApi } from './carousel-engine'
import { useReducedMotion } from './use-reduced-motion'

const slideMilliseconds = 4000

/**
 * Which slide shows, and whether the next one comes by itself: not while the pointer or the keyboard's focus
 * rests on the carousel, nor during a swipe, nor after Pause. It starts paused for a user who prefers less motion.
 */
export function useCarousel() {
  const reducedMotion = useReducedMotion()
  const [api, setApi] = useState<CarouselApi | null>(null)
  const [selected, setSelected] = useState(0)
  const [pausedByHand, setPausedByHand] = useState<boolean | null>(null)
  const [hovered, setHovered] = useState(false)
  const [focused, setFocused] = useState(false)
  const [held, setHeld] = useState(false)
  /** A move asked for before the engine has arrived. */
  const waiting = useRef<1 | -1 | 0>(0)
  /** How often; each time asks for an engine that could not be fetched. */
  const [asked, setAsked] = useState(0)

  const paused = pausedByHand ?? reducedMotion
  const playing = !paused && !hovered && !focused && !held

  const move = useCallback(
    (step: 1 | -1) => {
      if (!api) {
        waiting.current = step
        setAsked((times) => times + 1)
      } else if (step > 0) api.scrollNext(reducedMotion)
      else api.scrollPrev(reducedMotion)
    },
    [api, reducedMotion],
  )

  useEffect(() => {
    if (!api) return
    const onSelect = () => setSelected(api.selectedScrollSnap())
    const onDown = () => setHeld(true)
    const onUp = () => setHeld(false)
    api.on('select', onSelect).on('pointerDown', onDown).on('pointerUp', onUp)
    if (waiting.current !== 0) move(waiting.current)
    waiting.current = 0
    return () => {
      api.off('select', onSelect).off('pointerDown', onDown).off('pointerUp', onUp)
    }
  }, [api, move])

  // Every slide gets its full time, also one that was reached by an arrow: hence `selected`.
  useEffect(() => {
    if (!playing) return
    const timer = setTimeout(() => move(1), slideMilliseconds)
    return () => clearTimeout(timer)
  }, [playing, move, selected])

  const watch = {
    onPointerEnter: (event: PointerEvent) => setHovered(event.pointerType === 'mouse'),
    onPointerLeave: () => setHovered(false),
    // A mouse click focuses its button too, and must not leave the carousel standing for good.
    onFocus: (event: FocusEvent) => setFocused(event.target.matches(':focus-visible')),
    onBlur: () => setFocused(false),
  }
  const togglePause = () => setPausedByHand(!paused)
  return { setApi, asked, selected, paused, playing, move, togglePause, watch }
}
