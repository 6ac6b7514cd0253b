import { bulkKilledOnce, bulkKilledTwice, bulkWithEdits } from './bulk.soak.ts'
import { cadencesWithKills } from './cadences.soak.ts'
import { campaignMembersKilledTwice } from './campaign-members.soak.ts'
import { cleanDataWithKills } from './clean-data.soak.ts'
import { importWithKills } from './import.soak.ts'
import { cadencesWithMailOutage } from './mail-outage.soak.ts'
import { outreachWithKills } from './outreach.soak.ts'
import { rollupsUnderChanges } from './rollups.soak.ts'
import type { Soak } from './soak.ts'
import { usageWithKills } from './usage.soak.ts'
import { webhooksWithKills } from './webhooks.soak.ts'

export const soaks: Soak[] = [
  bulkKilledOnce,
  bulkKilledTwice,
  bulkWithEdits,
  rollupsUnderChanges,
  outreachWithKills,
  cleanDataWithKills,
  webhooksWithKills,
  campaignMembersKilledTwice,
  usageWithKills,
  importWithKills,
  cadencesWithKills,
  cadencesWithMailOutage,
]
