export { surveys } from './surveys.module.ts'
