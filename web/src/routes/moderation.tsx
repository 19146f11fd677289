export { ModerationPage as Component } from '@/features/moderation/moderation-page'
