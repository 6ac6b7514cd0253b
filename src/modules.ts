import { coaching } from '#modules/coaching'
import { community } from '#modules/community'
import { crm } from '#modules/crm'
import { email } from '#modules/email'
import { experts } from '#modules/experts'
import { identity } from '#modules/identity'
import { insights } from '#modules/insights'
import { learning } from '#modules/learning'
import { library } from '#modules/library'
import { marketing } from '#modules/marketing'
import { operations } from '#modules/operations'
import { pitches } from '#modules/pitches'
import { plg } from '#modules/plg'
import { rooms } from '#modules/rooms'
import { surveys } from '#modules/surveys'
import type { Module } from '#platform/module'

/** In the order of their dependencies. */
export const modules: readonly Module[] = [
  identity,
  crm,
  email,
  marketing,
  surveys,
  plg,
  library,
  rooms,
  coaching,
  pitches,
  learning,
  experts,
  insights,
  community,
  operations,
]
