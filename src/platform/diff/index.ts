export { changedFields } from './changed-fields.ts'
