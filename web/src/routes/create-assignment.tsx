export { CreateAssignment as Component } from '@/features/assignments/create-assignment'
