import { renderToString } from 'react-dom/server.browser'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { compile } from './compile'
import { record, recordCall, recording } from './values'

// web/scripts/both-ways.mjs rewrites the operators of this file, as it does with the app's sources at build.

interface Card {
  title: string
  count: number
  level: string
  done: boolean
  note?: string | null
  link?: { url: string }
}

const card = record<Card>('$.card')

function compiled(draw: () => ReactNode): string {
  const { drawn, marks } = recording(() => renderToString(draw()))
  return compile(drawn, marks)
}

test('a recorded value is its path, in text and in attributes', () => {
  const { title } = card
  expect(compiled(() => <p aria-label={`About ${title}`}>{title}</p>)).toBe(
    '<p aria-label="About {{$.card.title}}">{{$.card.title}}</p>',
  )
})

test('neighbouring texts are separated as React separates them', () => {
  expect(compiled(() => <p>by {card.title}</p>)).toBe('<p>by {{comment " "}}{{$.card.title}}</p>')
  expect(compiled(() => <p>one {card.note ? 'two' : null} three</p>)).toBe(
    '<p>one {{comment " "}}{{if (truthy $.card.note)}}two{{end}}{{comment " "}} three</p>',
  )
})

test('a list maps once, for the server to repeat', () => {
  const cards = record<Card[]>('$.cards')
  const place = (i: number) => recordCall<string>('place', [i, cards.length])
  expect(
    compiled(() => (
      <ul>
        {cards.map(({ title }, i) => (
          <li key={title}>{place(i)}</li>
        ))}
      </ul>
    )),
  ).toBe('<ul>{{range $i1, $e1 := $.cards}}<li>{{(place $i1 (len $.cards))}}</li>{{end}}</ul>')
})

test.each<[string, () => ReactNode, string]>([
  [
    '&& with zero, which React shows',
    () => card.count && <b />,
    '{{if (truthy $.card.count)}}<b></b>{{else}}{{falsy $.card.count}}{{end}}',
  ],
  ['&& with a comparison', () => card.count > 0 && <b />, '{{if (gt $.card.count 0)}}<b></b>{{end}}'],
  ['||', () => card.note || 'none', '{{if (truthy $.card.note)}}{{$.card.note}}{{else}}none{{end}}'],
  ['??', () => card.note ?? 'none', '{{if (present $.card.note)}}{{$.card.note}}{{else}}none{{end}}'],
  [
    '?: and ===',
    () => (card.level === 'easy' ? <b /> : <i />),
    '{{if (same $.card.level "easy")}}<b></b>{{else}}<i></i>{{end}}',
  ],
  [
    '! and !==',
    () => !card.done && card.level !== 'hard' && 'x',
    '{{if (and (not (truthy $.card.done)) (not (same $.card.level "hard")))}}x{{end}}',
  ],
  ['?.', () => card.link?.url, '{{if (present $.card.link)}}{{$.card.link.url}}{{end}}'],
  [
    '?. and ??',
    () => card.link?.url ?? 'none',
    '{{if (and (present $.card.link) (present $.card.link.url))}}{{$.card.link.url}}{{else}}none{{end}}',
  ],
  ['a boolean, which React does not show', () => card.level === 'easy', ''],
  [
    'includes',
    () => ['a', 'b'].includes(card.level) && 'x',
    '{{if (or (same $.card.level "a") (same $.card.level "b"))}}x{{end}}',
  ],
])('%s', (_, draw, template) => {
  expect(compiled(() => <p>{draw()}</p>)).toBe(`<p>${template}</p>`)
})

test('an early return draws both ways', () => {
  function Card({ note }: { note?: string | null | undefined }) {
    if (!note) return <i />
    const long = `${note}!`
    return <b>{long}</b>
  }
  expect(compiled(() => <Card note={card.note} />)).toBe(
    '{{if (not (truthy $.card.note))}}<i></i>{{else}}<b>{{$.card.note}}!</b>{{end}}',
  )
})

test('a parameter has its default where there is no value', () => {
  const Note = ({ note = 'none' }: { note?: string | null | undefined }) => <b>{note}</b>
  expect(compiled(() => <Note note={card.note} />)).toBe(
    '<b>{{if (present $.card.note)}}{{$.card.note}}{{else}}none{{end}}</b>',
  )
})

test('page data as a key picks among the existing entries', () => {
  const words: Record<string, string> = { easy: 'Easy', hard: 'Hard' }
  expect(compiled(() => <p>{words[card.level]}</p>)).toBe(
    '<p>{{if (same $.card.level "easy")}}Easy{{else}}{{if (same $.card.level "hard")}}Hard{{end}}{{end}}</p>',
  )
})

test('attributes are chosen, left out, or there without a value', () => {
  expect(compiled(() => <p className={card.done ? 'done "well"' : undefined} />)).toBe(
    '<p{{if (truthy $.card.done)}} class="done &quot;well&quot;"{{end}}></p>',
  )
  expect(compiled(() => <p title={card.level} className={`a${card.done ? ' b' : ''}`} />)).toBe(
    '<p{{if present $.card.level}} title="{{$.card.level}}"{{end}} class="a{{if (truthy $.card.done)}} b{{end}}"></p>',
  )
  expect(
    compiled(() => (
      <button type="button" disabled={!card.done} aria-pressed={card.done} title="Do">
        Do
      </button>
    )),
  ).toBe(
    '<button type="button"{{if (not (truthy $.card.done))}} disabled=""{{end}}{{if present $.card.done}} aria-pressed="{{spelled $.card.done}}"{{end}} title="Do">Do</button>',
  )
})

test('the server selects a select’s option', () => {
  const drawn = () => (
    <select value={card.level} onChange={() => undefined}>
      <option value="">All</option>
      <option value="easy">Easy</option>
    </select>
  )
  expect(compiled(drawn)).toBe(
    '<select><option value=""{{if same $.card.level ""}} selected=""{{end}}>All</option>' +
      '<option value="easy"{{if same $.card.level "easy"}} selected=""{{end}}>Easy</option></select>',
  )
})

test.each<[string, () => unknown]>([
  ['no trim()', () => card.title.trim()],
  ['cannot be computed with', () => card.count - 1],
  [
    '`switch` would take one branch',
    () => {
      switch (card.level) {
        case 'easy':
          return 1
        default:
          return 2
      }
    },
  ],
  [
    '`if` would take one branch',
    () => {
      let found = 'no'
      if (card.done) found = 'yes'
      return found
    },
  ],
  ['`typeof` would take one branch', () => typeof card.note],
  ['`...` would take one branch', () => ({ ...card })],
  ['a text made of page data cannot be compared', () => `${card.title}!` === 'x'],
  ['charCodeAt() cannot take page data', () => 'abc'.charCodeAt(card.count)],
  ['page data has no numbered fields', () => record<string[]>('$.titles')[0]],
])('what is not known at build is refused: %s', (message, draw) => {
  expect(() => compiled(() => String(draw()))).toThrow(message)
  expect(() => compiled(() => String(draw()))).toThrow(/compile\.test\.tsx:\d+|\$\.card/)
})

test('a page may not show what a template would read', () => {
  expect(() => compiled(() => <p>{'{{'}</p>)).toThrow('may not show {{')
})

test('with other values the operators do what they always do', () => {
  const seen: string[] = []
  const say = (word: string) => {
    seen.push(word)
    return word
  }
  const nothing: { zero: number; one: number; a?: { b: string } } = { zero: 0, one: 1 }
  const { zero, one, a } = nothing
  expect([zero && say('a'), one && say('b'), zero || say('c'), one || say('d'), a ?? say('e'), a?.b]).toEqual(
    [0, 'b', 'c', 1, 'e', undefined],
  )
  expect(seen).toEqual(['b', 'c', 'e'])
})
