export { logout } from './api'
