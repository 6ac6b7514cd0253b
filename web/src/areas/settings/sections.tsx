import { Database, KeyRound, MonitorSmartphone, Palette, Send, Settings2, UserRound } from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import type { Me } from '../../session/me.ts'
import type { settingsTexts } from '../../texts/en/settings-texts.ts'
import { ApiKeysSection } from './api-keys-section.tsx'
import { AppearanceSection } from './appearance-section.tsx'
import { ProfileSection } from './profile-section.tsx'
import { SampleDataSection } from './sample-data-section.tsx'
import { SenderSection } from './sender-section.tsx'
import { SignInsSection } from './sign-ins-section.tsx'
import { WorkspaceSection } from './workspace-section.tsx'

export type SectionKey = keyof typeof settingsTexts.sections

export type Section = {
  key: SectionKey
  group: 'workspace' | 'account'
  icon: ReactNode
  /** Without this permission the section is not offered. */
  scope?: Me['scopes'][number]
  component: ComponentType
}

export const sections: readonly Section[] = [
  { key: 'workspace', group: 'workspace', icon: <Settings2 size={16} />, component: WorkspaceSection },
  {
    key: 'sample-data',
    group: 'workspace',
    icon: <Database size={16} />,
    scope: 'admin.read',
    component: SampleDataSection,
  },
  { key: 'profile', group: 'account', icon: <UserRound size={16} />, component: ProfileSection },
  { key: 'sender', group: 'account', icon: <Send size={16} />, scope: 'cadences.write', component: SenderSection },
  { key: 'sign-ins', group: 'account', icon: <MonitorSmartphone size={16} />, component: SignInsSection },
  { key: 'api-keys', group: 'account', icon: <KeyRound size={16} />, component: ApiKeysSection },
  { key: 'appearance', group: 'account', icon: <Palette size={16} />, component: AppearanceSection },
]
