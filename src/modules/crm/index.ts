export { crm } from './crm.module.ts'
export { setScoreComponent } from './scoring/score-components.service.ts'
