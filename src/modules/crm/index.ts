export { crm } from './crm.module.ts'
export { setScoreComponent } from './scoring/set-score-component.service.ts'
