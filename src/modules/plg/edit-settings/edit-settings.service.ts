import { readSections, replaceSection } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { invalidInput } from '#platform/errors'
import type { Services } from '#platform/module'
import type { PlgSettings, VersionedPlgSettings } from '../settings/plg-settings.schemas.ts'
import { findSegmentProblems } from '../settings/plg-settings.service.ts'
import { plgSettings } from '../settings/plg-settings.ts'
import { planCountedFrom } from '../states/recalculation.rules.ts'
import { findState } from '../states/states.queries.ts'

export async function getPlgSettings(tx: TenantTx): Promise<VersionedPlgSettings> {
  const [sections, state] = await Promise.all([readSections(tx, [plgSettings]), findState(tx)])
  const { settings, version } = sections.get(plgSettings.name)!
  const counted = state ? planCountedFrom(state) : null
  return { ...(settings as PlgSettings), recalculated_from_on: counted?.counted_on ?? null, version }
}

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
