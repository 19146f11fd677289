import { expect, test } from 'vitest'
import { messageParser } from './parse'

const text =
  ':\nid: e/1\n\nid: e/2\nevent: assignment.created\ndata: {"kind":"assignment.created","_id":"a"}\n\n' +
  'id: e/3\nevent: reset\ndata: {"kind":"reset"}\n\n'
const messages = [
  { cursor: 'e/1', event: null },
  { cursor: 'e/2', event: { kind: 'assignment.created', id: 'a' } },
  { cursor: 'e/3', event: { kind: 'reset', id: '' } },
]

test('messages are read wherever the text is cut', () => {
  for (let cut = 0; cut <= text.length; cut++) {
    const parse = messageParser()
    expect([...parse(text.slice(0, cut)), ...parse(text.slice(cut))]).toEqual(messages)
  }
})

test('an incomplete state has no text', () => {
  expect(messageParser()(text.slice(0, -1))).toEqual(messages.slice(0, 2))
})
