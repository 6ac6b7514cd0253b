export { marketing } from './marketing.module.ts'
