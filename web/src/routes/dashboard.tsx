export { DashboardPage as Component } from '@/features/progress/dashboard'
