import { useSyncExternalStore } from 'react'
import { currentBox, subscribeBoxes } from './boxes'
import { MessageBox } from './message-box'

/** Renders the boxes that are asked for anywhere in the app, one after the other. */
export function BoxHost() {
  const box = useSyncExternalStore(subscribeBoxes, currentBox, () => null)
  return box && <MessageBox key={box.id} {...box.message} onAnswer={box.answer} />
}
