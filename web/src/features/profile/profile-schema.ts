import { optionalWebAddress, personName, photoAddress } from '@/lib/rules'
import { z } from '@/lib/zod'

export const schema = z.object({
  displayName: personName,
  photoURL: optionalWebAddress(photoAddress),
})
