import { peopleTexts } from '../../texts/en/people-texts.ts'
import { RadioGroup } from '../../ui/radio-group.tsx'
import { type Role, roles } from './people-search.ts'

/** The four roles with what they allow, because their names alone do not say it. */
export const RoleField = ({ chosen }: { chosen: Role }) => (
  <RadioGroup
    label={peopleTexts.role}
    name="role"
    defaultValue={chosen}
    options={roles.toReversed().map((role) => ({
      value: role,
      label: peopleTexts.roles[role],
      description: peopleTexts.roleDescriptions[role],
    }))}
  />
)
