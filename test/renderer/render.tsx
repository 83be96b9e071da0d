/// <reference types="vite/client" />
import './browserShims.ts';
import { MantineProvider } from '@mantine/core';
import { Notifications, notifications } from '@mantine/notifications';
import { act, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { HostProvider, type Host } from '../../renderer/app/client/index.ts';
import { theme } from '../../renderer/app/theme/theme.ts';
import { ZoneProvider } from '../../renderer/ui/index.ts';

const mounted: { root: Root; place: HTMLElement }[] = [];

/** Draws a part of the window as the app would, times in UTC unless said otherwise. */
export async function render(
  node: ReactNode,
  options: { host?: Host; localZone?: string } = {},
): Promise<HTMLElement> {
  const place = document.createElement('div');
  document.body.append(place);
  const root = createRoot(place);
  mounted.push({ root, place });
  const inside = options.host ? <HostProvider host={options.host}>{node}</HostProvider> : node;
  await act(async () => {
    root.render(
      <MantineProvider
        theme={theme}
        env="test"
        forceColorScheme="light"
        withCssVariables={false}
        withGlobalClasses={false}
      >
        <Notifications />
        <ZoneProvider localZone={options.localZone ?? 'UTC'}>{inside}</ZoneProvider>
      </MantineProvider>,
    );
  });
  await settle();
  return place;
}

/** Takes everything off the page; call after each test. */
export async function unmountAll(): Promise<void> {
  await act(async () => notifications.clean());
  for (const { root, place } of mounted.splice(0)) {
    await act(async () => root.unmount());
    place.remove();
  }
}

/** Lets promises that are under way come to rest, and React with them. */
export async function settle(turns = 8): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    await act(async () => {
      await Promise.resolve();
    });
  }
}

/** Something happens outside the window (an event of the core, a call from elsewhere): React hears it. */
export async function happen(what: () => unknown): Promise<void> {
  await act(async () => {
    what();
  });
  await settle();
}

/** All text on the page, dialogues included. */
export const pageText = (): string => document.body.textContent ?? '';

/** The one button (or link) whose label or text is this. */
export function button(name: string | RegExp): HTMLElement {
  const found = [...document.querySelectorAll<HTMLElement>('button, a[href], [role="tab"]')].filter(
    (element) => {
      const label = element.getAttribute('aria-label') ?? element.textContent ?? '';
      return typeof name === 'string' ? label.trim() === name : name.test(label);
    },
  );
  const [first] = found;
  if (!first || found.length > 1) {
    throw new Error(`${found.length} buttons are named ${String(name)} in: ${pageText()}`);
  }
  return first;
}

export async function click(element: HTMLElement): Promise<void> {
  await act(async () => element.click());
  await settle();
}

/** The field with this label. */
export function field(label: string): HTMLInputElement | HTMLTextAreaElement {
  for (const element of document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    'input, textarea',
  )) {
    const named = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? '';
    if (named.replace('*', '').trim() === label) return element;
  }
  throw new Error(`No field is labelled ${label}`);
}

/** Types a whole text into a field, as React hears it. */
export async function type(element: HTMLInputElement | HTMLTextAreaElement, text: string): Promise<void> {
  const prototype = element instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
  const set = Object.getOwnPropertyDescriptor(prototype.prototype, 'value')?.set;
  await act(async () => {
    set?.call(element, text);
    element.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await settle();
}

export async function press(element: Element, key: string, options: KeyboardEventInit = {}): Promise<void> {
  await act(async () => {
    element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...options }));
  });
  await settle();
}
