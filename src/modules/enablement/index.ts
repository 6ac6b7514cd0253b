export { enablement } from './enablement.module.ts'
