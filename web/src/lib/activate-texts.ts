import { i18n, type MessageDescriptor, type MessageOptions, type Messages } from '@lingui/core'

type Values = Record<string, unknown> | undefined
type LookUp = (id: string | MessageDescriptor, values?: Values, options?: MessageOptions) => string

const lookUp = i18n._.bind(i18n) as LookUp

/** Lingui decodes sequences such as \u0041 once values are in a text. Those in users' texts stay as they were typed. */
const asTyped = (values: Values): Values =>
  values &&
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll('\\', String.raw`\x5c`) : value,
    ]),
  )

i18n._ = (id: string | MessageDescriptor, values?: Values, options?: MessageOptions) =>
  typeof id === 'string'
    ? lookUp(id, asTyped(values), options)
    : lookUp({ ...id, values: asTyped(id.values) })

/** Begins to look texts up in a language. */
export function activateTexts(locale: string, messages: Messages): void {
  i18n.loadAndActivate({ locale, messages })
}
