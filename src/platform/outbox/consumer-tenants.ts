import type { TenantTx } from '#platform/db'

/** Opts the tenant in to or out of the events of a consumer, for those that are relayed after the commit. */
export async function setConsumerOptIn(tx: TenantTx, consumer: string, isOptedIn: boolean): Promise<void> {
  if (isOptedIn)
    await tx
      .insertInto('platform.event_consumer_tenants')
      .values({ consumer })
      .onConflict((conflict) => conflict.constraint('event_consumer_tenants_pkey').doNothing())
      .execute()
  else await tx.deleteFrom('platform.event_consumer_tenants').where('consumer', '=', consumer).execute()
}
