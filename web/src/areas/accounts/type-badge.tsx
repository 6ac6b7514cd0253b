import { accountListTexts as texts } from '../../texts/en/account-list-texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { type AccountType, hueOfType } from './account-types.ts'

export const TypeBadge = ({ type }: { type: AccountType }) => <Badge hue={hueOfType[type]}>{texts.types[type]}</Badge>
