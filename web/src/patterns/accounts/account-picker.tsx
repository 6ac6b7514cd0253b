import { areaKeys } from '../../api/area-keys.ts'
import { accountPickerTexts as texts } from '../../texts/en/account-picker-texts.ts'
import { type PickerProps, RecordPicker } from '../record-picker.tsx'
import { findAccounts } from './accounts-api.ts'

export const AccountPicker = (props: PickerProps) => (
  <RecordPicker {...props} texts={texts} queryKey={areaKeys.accountSearch} find={findAccounts} />
)
