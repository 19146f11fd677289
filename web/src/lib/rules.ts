import { plural, t } from '@lingui/core/macro'
import { addressIn } from './address'
import { isWebAddress, lengthOf } from './text'
import { z } from './zod'

/**
 * The rules that forms share, each said once. They are the server's, whose document of the API states no lengths; the
 * server checks again, and its message is shown where it differs.
 */

export const objectOf = z.object
export const listOf = z.array
export const oneOf = z.enum

/** A rule's message, written when a value breaks it. */
type Message = () => string

/** Text that `isRight` accepts. */
export const textThat = (isRight: (text: string) => boolean, error: Message) =>
  z.string().check(z.refine(isRight, { error }))

/** Text of at most `longest` characters, as the server counts them. */
const upTo = (longest: number) =>
  z.refine<string>((text) => lengthOf(text) <= longest, {
    error: () => plural(longest, { one: 'At most # character.', other: 'At most # characters.' }),
  })

export const optionalText = (longest: number) => z.string().check(z.trim(), upTo(longest))

/** `missing`: the message for an empty field. */
export const requiredText = (longest: number, missing: Message) =>
  z.string().check(z.trim(), z.minLength(1, { error: missing }), upTo(longest))

/** A typed address that is sent with Enter has not been left yet: see AddressInput. */
const mended = z.overwrite((text: string) => {
  const typed = text.trim()
  return isWebAddress(typed) ? typed : (addressIn(typed) ?? typed)
})

/** `error` is the message that the server has for this field. */
export const webAddress = (error: Message) => z.string().check(mended, z.refine(isWebAddress, { error }))

export const optionalWebAddress = (error: Message) =>
  z.string().check(
    mended,
    z.refine((text) => text === '' || isWebAddress(text), { error }),
  )

export const photoAddress: Message = () =>
  t`The photo must be a full web address that starts with http:// or https://.`
const linkAddress: Message = () =>
  t`The document link must be a full web address that starts with http:// or https://.`

export const wholeNumber = (least: number, most: number) =>
  z.string().check(
    z.trim(),
    z.refine((text) => /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most, {
      error: () =>
        Number.isFinite(most)
          ? t`A whole number from ${least} to ${{ most: most.toLocaleString('en') }}.`
          : t`A whole number.`,
    }),
  )

export const personName = z.string().check(
  z.trim(),
  z.refine((name) => name !== '' && lengthOf(name) <= 100, {
    error: () => t`Enter a name of up to 100 characters.`,
  }),
)

export const emailAddress = z.string().check(
  z.trim(),
  z.refine((text) => /^[^\s@]+@[^\s@]+$/.test(text), {
    error: () => t`Enter an email address, like name@example.org.`,
  }),
)

/** The reason for a decision or a request. */
export const reason = requiredText(500, () => t`Say why.`)

export const documentLink = webAddress(linkAddress)
export const optionalDocumentLink = optionalWebAddress(linkAddress)
export const note = optionalText(2000)
