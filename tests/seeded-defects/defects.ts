import { accessDefects } from './access.defects.ts'
import { anonymityDefects } from './anonymity.defects.ts'
import { changeDefects } from './change.defects.ts'
import type { Defect } from './defect.ts'
import { deliveryDefects } from './delivery.defects.ts'
import { inputDefects } from './input.defects.ts'
import { leakDefects } from './leak.defects.ts'
import { outreachDefects } from './outreach.defects.ts'
import { readDefects } from './read.defects.ts'
import { textDefects } from './text.defects.ts'
import { webDefects } from './web.defects.ts'

export const defects: readonly Defect[] = [
  ...accessDefects,
  ...changeDefects,
  ...readDefects,
  ...deliveryDefects,
  ...inputDefects,
  ...textDefects,
  ...leakDefects,
  ...outreachDefects,
  ...anonymityDefects,
  ...webDefects,
]
