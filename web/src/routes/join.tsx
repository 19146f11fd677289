export { JoinPage as Component } from '@/features/circles/join-page'
