import { userDeactivated, userRoleChanged } from '#events/identity'
import { retryOnContention } from '#platform/db'
import { defineJob, defineJobHandler, enqueue } from '#platform/jobs'
import type { Services } from '#platform/module'
import { subscribe } from '#platform/outbox'
import { Id, strict } from '#platform/schema'
import { deactivateExpertOfUser } from './experts.service.ts'

const deactivateExpertJob = defineJob('enablement.deactivate_expert', 'events', strict({ user_id: Id }))

export const onExpertUserDeactivated = subscribe(
  userDeactivated,
  'enablement.deactivate_expert',
  (tx, { subject: { id } }) => enqueue(tx, deactivateExpertJob, { user_id: id }),
)

export const onExpertRoleChanged = subscribe(
  userRoleChanged,
  'enablement.deactivate_viewing_expert',
  async (tx, { subject: { id }, data }) => {
    if (data.to === 'viewer') await enqueue(tx, deactivateExpertJob, { user_id: id })
  },
)

export const deactivateExpertHandler = ({ clock }: Pick<Services, 'clock'>) =>
  defineJobHandler(deactivateExpertJob, ({ inTenant, signal }, { user_id }) =>
    retryOnContention(() => inTenant((tx) => deactivateExpertOfUser(tx, user_id, clock.now())), signal),
  )
