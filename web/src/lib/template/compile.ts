import { markPattern, shapeOf, type Mark } from './values'

/**
 * Turns drawn HTML into a template of Go's html/template: marks become the expressions or values they stand for,
 * the elements `t-if` and `t-each` of values.ts become `if`, `else` and `range`.
 *
 * React separates neighbouring texts by a comment and expects it in HTML: where a text comes to stand beside another
 * once a control element is gone, it gets one. All comments go through `comment`, as the library takes out others.
 */
export function compile(html: string, marks: readonly Mark[]): string {
  if (html.includes('{{')) throw new Error('A page may not show {{')
  if (/\[object \w+\]|%EE%80%80/.test(html)) throw new Error('Page data is not shown as text')
  const of = new Marks(marks)
  return of
    .inAttributes(withoutControls(withOptions(html, of), of))
    .replaceAll(mark, (_, n: string) => of.text(n))
}

const mark = new RegExp(markPattern, 'g')
const wholeMark = new RegExp(` ([^\\s"=<>/]+)="${markPattern}"`, 'g')
const literal = (text: string) => JSON.stringify(text)

class Marks {
  readonly all: readonly Mark[]

  constructor(all: readonly Mark[]) {
    this.all = all
  }

  /** The expression of the mark that an attribute of a control element holds. */
  expression(text: string): string {
    return text.replaceAll(mark, (_, n: string) => {
      const one = this.all[Number(n)]
      if (!one || !('go' in one)) throw new Error('A value is no expression')
      return one.go
    })
  }

  text(n: string): string {
    const one = this.all[Number(n)]
    if (!one || 'go' in one) throw new Error('An expression is no text')
    return this.valueAsText(one.value, one.spelled)
  }

  /** `spelled`: as a template literal has it, in which null is a word. */
  private valueAsText(value: unknown, spelled: boolean): string {
    const shape = shapeOf(value)
    switch (shape?.kind) {
      case 'data':
        return `{{${shape.go}}}`
      case 'falsy':
        return `{{falsy ${shape.go}}}`
      case 'test':
        return spelled ? `{{if ${shape.go}}}true{{else}}false{{end}}` : ''
      case 'choice': {
        const no = this.valueAsText(shape.no, spelled)
        return `{{if ${shape.test}}}${this.valueAsText(shape.yes, spelled)}${no && `{{else}}${no}`}{{end}}`
      }
      case undefined:
        return this.constant(value, spelled)
    }
  }

  private constant(value: unknown, spelled: boolean): string {
    if (value === null || value === undefined || typeof value === 'boolean')
      return spelled ? String(value) : ''
    if (typeof value !== 'string' && typeof value !== 'number') throw new Error('An element is no text')
    return escaped(String(value)).replaceAll(mark, (_, n: string) => this.text(n))
  }

  /** Attributes that are all data: they are left out where there is no value, and said where there may be several. */
  inAttributes(html: string): string {
    return html.replaceAll(wholeMark, (whole, name: string, n: string) => {
      const one = this.all[Number(n)]
      if (name.startsWith('data-if-')) {
        return `{{if ${this.expression(whole.slice(name.length + 3, -1))}}} ${name.slice('data-if-'.length)}=""{{end}}`
      }
      if (!one || 'go' in one || one.spelled) return whole
      return this.attribute(name, one.value)
    })
  }

  private attribute(name: string, value: unknown): string {
    const shape = shapeOf(value)
    const spelled = /^(?:aria|data)-/.test(name)
    switch (shape?.kind) {
      case 'data': {
        const written = ` ${name}="{{${spelled ? 'spelled ' : ''}${shape.go}}}"`
        return shape.certain === undefined
          ? `{{if ${name === 'src' ? 'truthy' : 'present'} ${shape.go}}}${written}{{end}}`
          : written
      }
      case 'choice': {
        const no = this.attribute(name, shape.no)
        return `{{if ${shape.test}}}${this.attribute(name, shape.yes)}${no && `{{else}}${no}`}{{end}}`
      }
      case 'falsy':
      case 'test':
        if (!spelled) throw new Error(`${name} cannot be ${shape.go}`)
        return ` ${name}="${this.valueAsText(value, true)}"`
      case undefined:
        if (value === null || value === undefined) return ''
        if (typeof value === 'boolean' && !spelled) {
          if (value) throw new Error(`${name} cannot be true`)
          return ''
        }
        return ` ${name}="${this.constant(value, true)}"`
    }
  }
}

function escaped(text: string): string {
  if (text.includes('{{')) throw new Error('A page may not show {{')
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

const controlTag = /<(\/?t-[a-z]+)((?: [a-z]+="[^"]*")*)>/g

function withoutControls(html: string, marks: Marks): string {
  const written = (tag: string, attributes: string): string => {
    const value = (name: string) =>
      marks.expression(new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1] ?? '')
    switch (tag) {
      case 't-if':
        return `{{if ${value('when')}}}`
      case 't-else':
        return '{{else}}'
      case 't-each':
        return `{{range $i${value('as')}, $e${value('as')} := ${value('of')}}}`
      case '/t-if':
      case '/t-each':
        return '{{end}}'
      default:
        return ''
    }
  }
  return html
    .replaceAll(controlTag, (whole, tag: string, attributes: string, at: number) => {
      const before = /^t-(if|each)$/.test(tag) && textBefore(html, at) ? '<!-- -->' : ''
      const after = /^\/t-(if|each)$/.test(tag) && textAfter(html, at + whole.length) ? '<!-- -->' : ''
      return before + written(tag, attributes) + after
    })
    .replaceAll(/<!--(.*?)-->/gs, (_, text: string) => `{{comment ${literal(text)}}}`)
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

/** React says what a select shows by `selected` at an option; operators.ts leaves that to the server. */
function withOptions(html: string, marks: Marks): string {
  return html.replaceAll(
    /<select([^>]*?) data-chosen="([^"]*)"(.*?)<\/select>/gs,
    (_, start, chosen: string, rest: string) => {
      const options = rest.replaceAll(
        /<option value="([^"]*)"/g,
        (option, value: string) =>
          `${option}{{if same ${marks.expression(chosen)} ${literal(value)}}} selected=""{{end}}`,
      )
      return `<select${start}${options}</select>`
    },
  )
}
