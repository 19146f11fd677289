export { LabPage as Component } from '@/features/lab/lab-page'
