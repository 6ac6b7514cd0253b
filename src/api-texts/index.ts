import type { FieldTexts } from '#platform/http'
import { communityTexts } from './community.ts'
import { crmTexts } from './crm.ts'
import { crmFileTexts, crmRecordTexts } from './crm-records.ts'
import { enablementTexts } from './enablement.ts'
import { everyRecordTexts } from './every-record.ts'
import { homeTexts } from './home.ts'
import { identityTexts } from './identity.ts'
import { learningTexts } from './learning.ts'
import { marketingTexts } from './marketing.ts'
import { operationsTexts } from './operations.ts'
import { surveysTexts } from './surveys.ts'
import { trainingTexts } from './training.ts'

/** Descriptions of fields whose schemas declare none: by record, and for every record under `*`. */
export const fieldTexts: FieldTexts = mergeTexts([
  everyRecordTexts,
  identityTexts,
  homeTexts,
  crmTexts,
  crmRecordTexts,
  crmFileTexts,
  marketingTexts,
  surveysTexts,
  enablementTexts,
  trainingTexts,
  learningTexts,
  communityTexts,
  operationsTexts,
])

function mergeTexts(parts: readonly FieldTexts[]): FieldTexts {
  const merged: FieldTexts = {}
  for (const [record, texts] of parts.flatMap((part) => Object.entries(part)))
    merged[record] = { ...merged[record], ...texts }
  return merged
}
