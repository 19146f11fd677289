import { isWebAddress, lengthOf } from './text'
import { z } from './zod'

/**
 * The rules that forms share, each said once. They are the server's, whose document of the API states no lengths; the
 * server checks again, and its message is shown where it differs.
 */

export const objectOf = z.object
export const listOf = z.array
export const oneOf = z.enum

/** Text that `isRight` accepts. */
export const textThat = (isRight: (text: string) => boolean, message: string) =>
  z.string().check(z.refine(isRight, message))

/** Text of at most `longest` characters, as the server counts them. */
const upTo = (longest: number) =>
  z.refine<string>((text) => lengthOf(text) <= longest, `At most ${longest.toLocaleString('en')} characters.`)

export const optionalText = (longest: number) => z.string().check(z.trim(), upTo(longest))

/** `missing`: the message for an empty field. */
export const requiredText = (longest: number, missing: string) =>
  z.string().check(z.trim(), z.minLength(1, missing), upTo(longest))

const addressRule = (what: string, isRight: (text: string) => boolean) =>
  z
    .string()
    .check(
      z.trim(),
      z.refine(isRight, `${what} must be a full web address that starts with http:// or https://.`),
    )

/** `what` begins the message, as the server's does: 'The photo'. */
export const webAddress = (what: string) => addressRule(what, isWebAddress)

export const optionalWebAddress = (what: string) =>
  addressRule(what, (text) => text === '' || isWebAddress(text))

export const wholeNumber = (least: number, most: number) =>
  z.string().check(
    z.trim(),
    z.refine(
      (text) => /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most,
      Number.isFinite(most)
        ? `A whole number from ${least} to ${most.toLocaleString('en')}.`
        : 'A whole number.',
    ),
  )

export const personName = z.string().check(
  z.trim(),
  z.refine((name) => name !== '' && lengthOf(name) <= 100, 'Enter a name of up to 100 characters.'),
)

export const emailAddress = z.string().check(
  z.trim(),
  z.refine((text) => /^[^\s@]+@[^\s@]+$/.test(text), 'Enter an email address, like name@example.org.'),
)

/** The reason for a decision or a request. */
export const reason = requiredText(500, 'Say why.')

export const documentLink = webAddress('The document link')
export const optionalDocumentLink = optionalWebAddress('The document link')
export const note = optionalText(2000)
