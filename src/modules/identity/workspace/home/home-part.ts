import type { TSchema } from 'typebox'
import type { Scope, UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { defineExtensionPoint } from '#platform/module'
import type { SettingsOf } from '../settings/sections.ts'

export type HomeContext = {
  now: Date
  general: Pick<SettingsOf<'general'>, 'timezone' | 'currency' | 'fiscal_year_start_month'>
}

/** A part of the home page from another module, about the current user; null without one of the scopes. */
export type HomePart = {
  name: string
  scopes: readonly Scope[]
  schema: TSchema
  load(tx: TenantTx, viewer: UserActor, context: HomeContext): Promise<unknown>
}

export const homePartPoint = defineExtensionPoint<HomePart>('parts of the home page')
