import { userDeactivated, userRoleChanged } from '#events/identity'
import { findUserCards } from '#modules/identity'
import { systemClock } from '#platform/clock'
import { subscribe } from '#platform/outbox'
import { mayOwnEndpoints } from '../webhook-endpoints/disable-endpoint.service.ts'
import { disableEndpointsOfUser } from './lost-owner.service.ts'

/** A user who was reactivated in the meantime keeps the endpoints. */
export const onEndpointOwnerDeactivated = subscribe(
  userDeactivated,
  'operations.disable_webhook_endpoints',
  async (tx, { subject: { id } }) => {
    const user = (await findUserCards(tx, [id])).get(id)
    if (user?.status !== 'active')
      await disableEndpointsOfUser(tx, id, { loss: 'owner_deactivated', now: systemClock.now() })
  },
)

/** A user who got the right back in the meantime also loses the endpoints, so that the result does not depend on delays. */
export const onEndpointOwnerRoleChanged = subscribe(
  userRoleChanged,
  'operations.disable_webhook_endpoints_by_role',
  async (tx, { subject: { id }, data }) => {
    if (!mayOwnEndpoints(data.to))
      await disableEndpointsOfUser(tx, id, { loss: 'owner_role_changed', now: systemClock.now() })
  },
)
