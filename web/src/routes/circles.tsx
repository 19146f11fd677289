export { CirclesPage as Component } from '@/features/circles/circles-page'
