import { markPattern } from './recorder'

/**
 * Turns drawn HTML into a template of Go's html/template: marks become the expressions they stand for, the elements
 * of branches.tsx and recorder.ts become `if`, `else` and `range`.
 *
 * React parts neighbouring texts by a comment and expects it in HTML: where a text comes to stand beside another
 * once a control element is gone, it gets one. All comments go through `comment`, as the library takes out others.
 */
export function compile(html: string, expressions: readonly string[]): string {
  if (html.includes('{{')) throw new Error('A page may not show {{')
  const mark = new RegExp(markPattern, 'g')
  const expressionIn = (text: string) => text.replaceAll(mark, (_, n: string) => expressions[Number(n)] ?? '')
  return withoutControls(withOptions(html, expressionIn), expressionIn)
    .replaceAll(/<!--(.*?)-->/gs, (_, text: string) => `{{comment ${JSON.stringify(text)}}}`)
    .replaceAll(mark, (text) => `{{${expressionIn(text)}}}`)
}

type ExpressionIn = (text: string) => string

const controlTag = /<(\/?t-[a-z]+)((?: [a-z]+="[^"]*")*)>/g

function withoutControls(html: string, expressionIn: ExpressionIn): string {
  const switches: { variable: string; cases: number }[] = []
  let variables = 0
  const written = (tag: string, attributes: string): string => {
    const value = (name: string) => expressionIn(new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1] ?? '')
    const inside = switches.at(-1) ?? { variable: '', cases: 0 }
    switch (tag) {
      case 't-if':
        return `{{if ${value('when')}}}`
      case 't-else':
        return '{{else}}'
      case 't-each':
        return `{{range $i${value('as')}, $e${value('as')} := ${value('of')}}}`
      case 't-switch':
        switches.push({ variable: `$s${++variables}`, cases: 0 })
        // Where no case holds, there most often is no value: that is asked first.
        return `{{$s${variables} := ${value('on')}}}{{if $s${variables}}}`
      case 't-case':
        return `{{${inside.cases++ ? 'else if' : 'if'} eq ${inside.variable} ${value('is')}}}`
      case '/t-switch':
        switches.pop()
        return '{{end}}{{end}}'
      case '/t-if':
      case '/t-each':
        return '{{end}}'
      default:
        return ''
    }
  }
  return html.replaceAll(controlTag, (whole, tag: string, attributes: string, at: number) => {
    const before = /^t-(if|switch|each)$/.test(tag) && textBefore(html, at) ? '<!-- -->' : ''
    const after = /^\/t-(if|switch|each)$/.test(tag) && textAfter(html, at + whole.length) ? '<!-- -->' : ''
    return before + written(tag, attributes) + after
  })
}

/** Whether what will show beside a control element is text. */
function textBefore(html: string, at: number): boolean {
  let end = at
  while (html[end - 1] === '>') {
    const start = html.lastIndexOf('<', end)
    if (!/^<\/?t-/.test(html.slice(start, end))) return false
    end = start
  }
  return end > 0
}
const textAfter = (html: string, at: number) => /^(?:<\/?t-[^>]*>)*[^<]/.test(html.slice(at))

/** React says what a select shows by `selected` at an option; `chosen` leaves that to the server. */
function withOptions(html: string, expressionIn: ExpressionIn): string {
  return html.replaceAll(
    /<select([^>]*?) data-chosen="([^"]*)"(.*?)<\/select>/gs,
    (_, start, chosen: string, rest: string) => {
      const options = rest.replaceAll(
        /<option value="([^"]*)"/g,
        (option, value: string) =>
          `${option}{{if eq ${expressionIn(chosen)} ${JSON.stringify(value)}}} selected=""{{end}}`,
      )
      return `<select${start}${options}</select>`
    },
  )
}
