import { renderToString } from 'react-dom/server.browser'
import { createElement } from 'react'
import { expect, test } from 'vitest'
import { compile } from './compile'
import { isRecorded, markOf, record, recordCall, recording } from './recorder'

interface Card {
  title: string
  link: { url: string }
}

function compiled(draw: () => React.ReactNode): string {
  const { drawn, expressions } = recording(() => renderToString(draw()))
  return compile(drawn, expressions)
}

test('a recorded value is its path, in text and in attributes', () => {
  const card = record<Card>('$.card')
  expect(
    compiled(() => (
      <a href={card.link.url} title={`About ${card.title}`}>
        {card.title}
      </a>
    )),
  ).toBe('<a href="{{$.card.link.url}}" title="About {{$.card.title}}">{{$.card.title}}</a>')
})

test('neighbouring texts are parted as React parts them', () => {
  const card = record<Card>('$.card')
  expect(compiled(() => <p>by {card.title}</p>)).toBe('<p>by {{comment " "}}{{$.card.title}}</p>')
  const branch = (text: string) => createElement('t-if', { when: markOf('$.card.title') }, text)
  expect(compiled(() => <p>one {branch('two')} three</p>)).toBe(
    '<p>one {{comment " "}}{{if $.card.title}}two{{end}}{{comment " "}} three</p>',
  )
})

test('a list maps once, for the server to repeat', () => {
  const cards = record<Card[]>('$.cards')
  expect(
    compiled(() => (
      <ul>
        {cards.map(({ title }, i) => (
          <li key={title}>{recordCall<string>('place', [i, cards.length])}</li>
        ))}
      </ul>
    )),
  ).toBe('<ul>{{range $i1, $e1 := $.cards}}<li>{{(place $i1 (len $.cards))}}</li>{{end}}</ul>')
})

test('a switch draws each case, and asks for a value first', () => {
  const one = (value: string) =>
    createElement('t-case', { key: value, is: markOf(JSON.stringify(value)) }, value)
  expect(
    compiled(() => createElement('t-switch', { on: markOf('$.level') }, ['easy', 'hard'].map(one))),
  ).toBe('{{$s1 := $.level}}{{if $s1}}{{if eq $s1 "easy"}}easy{{else if eq $s1 "hard"}}hard{{end}}{{end}}')
})

test('a select is chosen by the server', () => {
  const drawn = () => (
    <select data-chosen={markOf('$.query.level')}>
      <option value="">All</option>
      <option value="easy">Easy</option>
    </select>
  )
  expect(compiled(drawn)).toBe(
    '<select><option value=""{{if eq $.query.level ""}} selected=""{{end}}>All</option>' +
      '<option value="easy"{{if eq $.query.level "easy"}} selected=""{{end}}>Easy</option></select>',
  )
})

test('what is not known at build is refused where it is computed with', () => {
  const card = record<Card>('$.card')
  expect(() => card.title.trim()).toThrow(TypeError)
  expect(() => recordCall<string>('day', [undefined])).toThrow('cannot hold undefined')
  expect(() => compiled(() => <p>{'{{'}</p>)).toThrow('may not show {{')
  expect(Number(card.title) > 1).toBe(false)
  expect(isRecorded(card.title) && card.title === card.title).toBe(true)
})
