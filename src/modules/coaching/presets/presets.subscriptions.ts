import { tenantCreated } from '#events/identity'
import { subscribe } from '#platform/outbox'
import { createPresets } from './presets.service.ts'

export const onTenantCreated = subscribe(tenantCreated, 'enablement.create_coaching_presets', (tx) => createPresets(tx))
