import { userDeactivated } from '#events/identity'
import { findUserCards } from '#modules/identity'
import { systemClock } from '#platform/clock'
import { subscribe } from '#platform/outbox'
import { disableEndpointsOfUser } from './lost-owner.service.ts'

/** A user who was reactivated in the meantime keeps the endpoints. */
export const onEndpointOwnerDeactivated = subscribe(
  userDeactivated,
  'operations.disable_webhook_endpoints',
  async (tx, { subject: { id } }) => {
    const user = (await findUserCards(tx, [id])).get(id)
    if (user?.status !== 'active') await disableEndpointsOfUser(tx, id, systemClock.now())
  },
)
