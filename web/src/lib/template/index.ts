export { format, ofAddress } from './format'
