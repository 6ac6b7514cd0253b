export { community } from './community.module.ts'
