import * as z from 'zod/mini'

// The Content-Security-Policy forbids `new Function`, which zod would try for speed.
z.config({ jitless: true })

export { z }
