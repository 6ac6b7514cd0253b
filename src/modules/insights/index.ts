export { insights } from './insights.module.ts'
