import { replaceSection } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { invalidInput } from '#platform/errors'
import type { Services } from '#platform/module'
import { findSegmentProblems } from './fit-segments.service.ts'
import { getPlgSettings } from './plg-settings.queries.ts'
import type { PlgSettings } from './plg-settings.schemas.ts'
import { plgSettings } from './plg-settings.ts'

type PlgSettingsReplacement = { settings: PlgSettings; expectedVersion?: number }

export async function replacePlgSettings(
  tx: TenantTx,
  { settings, expectedVersion }: PlgSettingsReplacement,
  services: Pick<Services, 'registry'>,
) {
  const problems = await findSegmentProblems(tx, services, settings.pql_rules)
  if (problems.length) throw invalidInput(problems)
  await replaceSection(tx, plgSettings, settings, expectedVersion)
  return await getPlgSettings(tx)
}
