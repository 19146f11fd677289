/** POSTs that create and send nothing, and an account's own, whose answers are cookies. */
const withoutId =
  /^\/api\/(?:auth\/|preview$|circles\/invited$|reviews\/next$|notifications\/read$|moderation\/restore$)|^\/unsubscribe/
/** What is sent by another method. */
const alsoWithId =
  /^(?:PATCH \/api\/submissions\/\{id\}|PUT \/api\/reviews\/\{id\}(?:\/reply)?|PUT \/api\/submissions\/\{id\}\/self-assessment)$/

/** Whether a request has an id: see request-ids.ts. */
export const takesId = (method: string, path: string): boolean =>
  method === 'POST' ? !withoutId.test(path) : alsoWithId.test(`${method} ${path}`)
