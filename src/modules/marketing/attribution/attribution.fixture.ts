import { runTenantSchedule, type startTestApp } from '#testing'
import { attributeDealsSchedule } from './attribution.jobs.ts'

type TestApp = Awaited<ReturnType<typeof startTestApp>>

/** Calculates the touches of all marked deals. */
export const attributeDeals = ({ db, systemDb, services }: TestApp) =>
  runTenantSchedule({ db, systemDb }, attributeDealsSchedule(services))
