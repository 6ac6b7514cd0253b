import { community } from '#modules/community'
import { crm } from '#modules/crm'
import { enablement } from '#modules/enablement'
import { identity } from '#modules/identity'
import { marketing } from '#modules/marketing'
import { operations } from '#modules/operations'
import { plg } from '#modules/plg'
import { surveys } from '#modules/surveys'
import type { Module } from '#platform/module'

export const modules: readonly Module[] = [identity, crm, marketing, surveys, plg, enablement, community, operations]
