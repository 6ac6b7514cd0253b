export { plg } from './plg.module.ts'
