export { If, Switch, chosen } from './branches'
export { format, known, more, ofAddress, or, same } from './format'
