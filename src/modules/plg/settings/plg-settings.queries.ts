import { readSection } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import type { PlgSettings } from './plg-settings.schemas.ts'
import { plgSettings } from './plg-settings.ts'

export const readPlgSettings = (tx: TenantTx): Promise<PlgSettings> => readSection(tx, plgSettings)
