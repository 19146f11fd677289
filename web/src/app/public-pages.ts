/**
 * The names of the pages whose texts every page fetches. All other pages fetch a second file of texts: with those of
 * the lists and of signing in, home in one language would be more than 110 kB.
 */
export const publicPages: readonly string[] = ['home', 'about', 'not-found']
