/**
 * The names of the pages whose texts every page fetches: those that a visitor opens first. All other pages fetch
 * a second file of texts.
 */
export const publicPages: readonly string[] = [
  'home',
  'assignments',
  'assignment',
  'about',
  'login',
  'register',
  'forgot',
  'reset',
  'verify',
  'undo',
  'not-found',
]
