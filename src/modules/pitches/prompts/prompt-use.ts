import type { TenantTx } from '#platform/db'
import { defineExtensionPoint } from '#platform/module'

/** Throws if records of another module use the prompt, which cannot be deleted then. */
export type AssertPromptUnused = (tx: TenantTx, prompt: { id: string }) => Promise<void>

export const promptUsePoint = defineExtensionPoint<AssertPromptUnused>('uses of pitch prompts')
