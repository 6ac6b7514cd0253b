import type { Model } from '#platform/ai'
import type { TenantTx } from '#platform/db'
import type { SecretBox } from '#platform/secrets'
import { readSettings } from './settings.queries.ts'
import { readSecret } from './tenant-secrets.service.ts'

export const createWorkspaceModelReader =
  (box: SecretBox) =>
  async (tx: TenantTx): Promise<Model | null> => {
    const { provider, base_url, model, monthly_token_limit } = await readSettings(tx, 'ai')
    if ((provider !== 'anthropic' && provider !== 'openai_compatible') || !model) return null
    return {
      provider,
      baseUrl: base_url,
      name: model,
      apiKey: await readSecret(tx, box, 'ai.api_key'),
      monthlyTokenLimit: monthly_token_limit,
    }
  }
