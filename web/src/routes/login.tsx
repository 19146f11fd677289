import { LoginPage } from '@/features/auth/login-page'
import { useDemo } from '@/lib/site'

export function Component() {
  return <LoginPage demo={useDemo()} />
}
