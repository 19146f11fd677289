export { ForgotPage as Component } from '@/features/auth/forgot-page'
